//! tmp
use hockeystick::{Query, mechanism::Mechanism, query::Method};
fn main() {
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let m: Mechanism = parts[0].parse().unwrap();
        let relation = parts.get(3).map_or("add-remove", |x| x);
        let q = Query::new(&m).relation(relation.parse().unwrap());
        let _ = Method::Auto;
        let t = std::time::Instant::now();
        let x: f64 = parts[2].parse().unwrap();
        let a = if parts[1] == "e" { q.epsilon(x) } else { q.delta(x) };
        match a {
            Ok(a) => println!("{line}: [{:?}, {}] rel {:.2e} {:.1} ms  {} {}", a.lower(), a.upper(), (a.upper() - a.lower().unwrap_or(0.0)) / a.upper(), t.elapsed().as_secs_f64() * 1e3, a.method(), a.plans().iter().map(|p| p.engine.to_string()).collect::<Vec<_>>().join(" || ")),
            Err(e) => println!("{line}: {e} {:.1} ms", t.elapsed().as_secs_f64() * 1e3),
        }
    }
}
