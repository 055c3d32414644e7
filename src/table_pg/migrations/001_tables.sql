R"sql(
CREATE TABLE handle (
  id text PRIMARY KEY,
  name text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  created timestamptz NOT NULL,
  seen timestamptz NOT NULL);

CREATE TABLE game_table (
  id text PRIMARY KEY,
  game text NOT NULL,
  config jsonb NOT NULL,
  visibility text NOT NULL,
  state text NOT NULL,
  creator text NOT NULL,
  invite_hash bytea NOT NULL,
  created timestamptz NOT NULL,
  updated timestamptz NOT NULL,
  result jsonb NOT NULL,
  clock jsonb NOT NULL,
  deadline timestamptz,
  bots boolean NOT NULL,
  node text,
  epoch bigint NOT NULL DEFAULT 0,
  lease_until timestamptz);
CREATE INDEX table_by_state ON game_table (state, visibility, updated);
CREATE INDEX table_by_deadline ON game_table (deadline);
CREATE INDEX table_by_lease ON game_table (lease_until);
CREATE INDEX table_by_node ON game_table (node);

CREATE TABLE seat (
  table_id text NOT NULL,
  seat smallint NOT NULL,
  kind text NOT NULL,
  handle text NOT NULL,
  name text NOT NULL,
  agent text NOT NULL,
  token_hash bytea NOT NULL,
  ready boolean NOT NULL,
  PRIMARY KEY (table_id, seat));

-- How the game of a table was begun, and where its log ends: a log that lost its end does not look
-- like a shorter one.
CREATE TABLE log (
  table_id text PRIMARY KEY,
  header jsonb NOT NULL,
  revision bigint NOT NULL,
  chain bigint NOT NULL);

CREATE TABLE entry (
  table_id text NOT NULL,
  revision bigint NOT NULL,
  actor smallint NOT NULL,
  action_id text NOT NULL,
  body jsonb NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (table_id, revision),
  UNIQUE (table_id, actor, action_id));

CREATE TABLE snapshot (
  table_id text NOT NULL,
  revision bigint NOT NULL,
  state jsonb NOT NULL,
  PRIMARY KEY (table_id, revision));

CREATE TABLE chat (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  table_id text NOT NULL,
  channel text NOT NULL,
  author text NOT NULL,
  seat smallint NOT NULL,
  text text NOT NULL,
  at timestamptz NOT NULL);
CREATE INDEX chat_of_table ON chat (table_id, seq);

CREATE TABLE upload (
  id text PRIMARY KEY,
  owner text NOT NULL,
  files jsonb NOT NULL,
  compiled jsonb NOT NULL,
  fingerprint bytea NOT NULL,
  created timestamptz NOT NULL,
  suspended boolean NOT NULL DEFAULT false);
)sql"
