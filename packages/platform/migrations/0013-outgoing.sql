-- The engine for outgoing calls (src/outgoing/README.md).

-- Numbers of claims on rows of every queue of outgoing calls. Each round of a runner takes one number and uses it and the
-- following ones, fewer than 100,000. So no two claims have the same number.
create sequence outgoing_claim increment by 100000;
