-- An agent can also wait for a person to sign its program in (E-9). Such a row has no time at which it ends by itself:
-- `until` is then the end of the calendar. `said` is what the program printed.
ALTER TABLE quota_waits ADD COLUMN login BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE quota_waits ADD COLUMN said TEXT NOT NULL DEFAULT '';
