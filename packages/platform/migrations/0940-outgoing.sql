-- Numbers of claims on rows of any queue of outgoing calls (src/outgoing/queue.ts). One per round of a runner; no two rounds ever have the
-- same.
create sequence outgoing_claim;
drop sequence push_delivery_claim;
