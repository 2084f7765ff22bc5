-- The engine for outgoing calls (src/outgoing/README.md).

-- Numbers of claims on rows of any queue of outgoing calls. One per round of a runner; no two rounds ever have the same.
create sequence outgoing_claim;
