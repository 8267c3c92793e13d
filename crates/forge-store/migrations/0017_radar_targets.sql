-- What the radar knows of a live branch and its target: the target's name and commit, the commit at which the branch left it
-- (only what it changed since then is its own), and the files over which the two conflict.
ALTER TABLE radar_heads ADD COLUMN target TEXT;
ALTER TABLE radar_heads ADD COLUMN target_head TEXT;
ALTER TABLE radar_heads ADD COLUMN fork TEXT;
ALTER TABLE radar_heads ADD COLUMN target_files TEXT;
ALTER TABLE radar_heads ADD COLUMN target_since BIGINT;
