-- The tables of a file of results, and the views that name what they hold.

-- What the results are of, as JSON: the spec, the version of fracas, digests of all scripts; `exact` says
-- whether pairings are computed.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Which agents sit where. `key` is a digest of the row, of the rules and of the agents: where one of
-- them changes, games go to a new row, and the old one no longer holds.
CREATE TABLE seatings (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    scenario TEXT NOT NULL,
    seats TEXT NOT NULL,
    agents TEXT NOT NULL,
    seed INTEGER NOT NULL,
    command TEXT,
    holds INTEGER NOT NULL
);

-- The different ends of games; `adjudicated` says what ended them before their own end, `questions` or `expectation`.
CREATE TABLE endings (
    id INTEGER PRIMARY KEY,
    result TEXT NOT NULL,
    utility TEXT NOT NULL,
    adjudicated TEXT
);

-- A row a game: `id` is the seating times 2^32, plus how often it was played before.
CREATE TABLE plays (
    id INTEGER PRIMARY KEY,
    ending INTEGER NOT NULL,
    questions INTEGER NOT NULL,
    forfeit TEXT
);

-- Seatings that were computed, or have to be played: then `ends` is null. `bound` is what was spent.
CREATE TABLE exact (seating INTEGER PRIMARY KEY, bound INTEGER NOT NULL, ends TEXT);

-- A checksum for each block of 128 games of a seating; of the other tables, with 0 for the seating.
CREATE TABLE sums (
    seating INTEGER NOT NULL,
    block INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (seating, block)
) WITHOUT ROWID;

CREATE VIEW games AS
SELECT plays.id AS game, scenario, plays.id & 4294967295 AS nth,
    seed + (plays.id & 4294967295) AS seed, result, questions, adjudicated,
    json_extract(forfeit, '$.message') AS forfeit,
    command || ' --seed ' || (seed + (plays.id & 4294967295)) AS command
FROM plays
JOIN seatings ON seatings.id = plays.id >> 32
JOIN endings ON endings.id = ending
WHERE holds;

-- A game that was played has no probability; an end of seatings that were computed has one, and no game.
CREATE VIEW seats AS
SELECT plays.id AS game, scenario, seed + (plays.id & 4294967295) AS seed,
    seat.value AS seat, agent.value AS agent, gain.value AS utility, result, NULL AS probability
FROM plays
JOIN seatings ON seatings.id = plays.id >> 32
JOIN endings ON endings.id = ending
JOIN json_each(seats) AS seat
JOIN json_each(agents) AS agent ON agent.key = seat.key
JOIN json_each(utility) AS gain ON gain.key = seat.key
WHERE holds
UNION ALL
SELECT NULL, scenario, NULL, seat, agent, utility, result, probability FROM computed;

-- Agents that also sit in a way that has to be played play all their matches, in every scenario, and with
-- `exact = false` all do.
CREATE VIEW computed AS
WITH sought AS MATERIALIZED (
    SELECT seatings.id AS id, scenario, ends, (
        SELECT json_group_array(value) FROM (SELECT DISTINCT value FROM json_each(agents) ORDER BY 1)
    ) AS company
    FROM exact JOIN seatings ON seatings.id = exact.seating
    WHERE holds
)
SELECT sought.scenario AS scenario, sought.id AS seating, seat.value AS seat, agent.value AS agent,
    json_extract(end.value, '$.probability') AS probability,
    json_extract(end.value, '$.result') AS result,
    json_extract(end.value, '$.utility[' || seat.key || ']') AS utility
FROM sought
JOIN seatings ON seatings.id = sought.id
JOIN json_each(ends, '$.ends') AS end
JOIN json_each(seats) AS seat
JOIN json_each(agents) AS agent ON agent.key = seat.key
WHERE company NOT IN (SELECT company FROM sought WHERE ends IS NULL)
    AND EXISTS (SELECT 1 FROM meta WHERE key = 'exact' AND value = 'true');
