"""Drop-in adapters: the interfaces of other accountants, answered by this one.

Each adapter is written from the public interface and the documented behaviour of the project it stands for, and none needs that
project to be installed. Every number is the upper end of a certified interval: it never understates what was spent.
"""
