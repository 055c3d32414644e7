R"sql(
-- The servers on this database, and what they know each other by.
CREATE TABLE node (
  id text PRIMARY KEY,
  address text NOT NULL,
  seen timestamptz NOT NULL);

CREATE TABLE cluster (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  key text NOT NULL);
)sql"
