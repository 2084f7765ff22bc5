-- Rounds of all players that a person should look at: those without base amounts, and those that stay open
-- (src/derive/rounds/brand-list.ts). Both indexes are partial and hold what is rare, in the order of the lists.
--
-- What they cost, measured with 300,000 rounds that begin with a bet and are closed by a win half a batch later:
--   building     2 s per million rounds, once, while the start waits. Nothing is read or written to a round meanwhile.
--   unpriced     nothing: the column hardly ever changes, and few rounds have it.
--   open         an entry of 40 bytes when a round begins, and an update that leaves its page when it ends, since `closed` is now part
--                of an index: 120 bytes of log more per round (11 %), no measurable time. Vacuum takes out the entries of closed
--                rounds; until then the first reader passes them at 2 us each and marks them, later ones at 10 ns.
-- An operator who never ends a round keeps an entry of each: 40 GB per billion, a tenth of the table.
--
-- The baseline is not listed and gets none where it exists already.
create index round_unpriced on live.round (first_at, player_id, round_key) where unpriced;
create index round_open on live.round (first_at, player_id, round_key) where counted and not closed;
