-- Who took an effect last, also after its lease: a task's workspace and its processes are on the machine of the node
-- that carried out its latest effect, so the others leave the task alone while that node lives (D-3, P-5).
ALTER TABLE effects ADD COLUMN node TEXT;
UPDATE effects SET node = lease_node WHERE open;
DROP INDEX effects_node;
CREATE INDEX effects_node ON effects (node) WHERE open AND node IS NOT NULL;
