-- The engine for outgoing calls (src/outgoing/README.md).

-- Numbers of claims on rows of any queue of outgoing calls. A round of a runner takes one, and gives its claims this number and those that
-- follow it: fewer than 100,000. So no two claims ever have the same.
create sequence outgoing_claim increment by 100000;
