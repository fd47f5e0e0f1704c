-- The history: one row for each entry, chained by hashes; only ever added to.
CREATE TABLE entry (
    sequence BIGINT NOT NULL PRIMARY KEY,
    time TEXT NOT NULL,
    kind TEXT NOT NULL,
    budget TEXT NOT NULL,
    reference TEXT,
    body TEXT NOT NULL,
    hash TEXT NOT NULL
);
CREATE INDEX entry_of_budget ON entry (budget, sequence);

-- The end of the chain: one row.
CREATE TABLE head (
    sequence BIGINT NOT NULL,
    time TEXT NOT NULL,
    hash TEXT NOT NULL
);
INSERT INTO head (sequence, time, hash) VALUES (0, '', '');

-- What follows from the history, so that nobody has to read all of it.
CREATE TABLE account (
    name TEXT NOT NULL PRIMARY KEY,
    state TEXT NOT NULL
);
-- A mechanism may be longer than an index can hold: its hash stands for it.
CREATE TABLE part (
    account TEXT NOT NULL,
    id TEXT NOT NULL,
    mechanism TEXT NOT NULL,
    uses BIGINT NOT NULL,
    PRIMARY KEY (account, id)
);
CREATE TABLE hold (
    account TEXT NOT NULL,
    reference TEXT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (account, reference)
);
CREATE INDEX hold_of_reference ON hold (reference);
CREATE TABLE reference (
    id TEXT NOT NULL PRIMARY KEY,
    opened BIGINT NOT NULL,
    closed BIGINT
);
