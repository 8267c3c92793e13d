-- Plain names for what clients and people read: events, effects and their lanes.
UPDATE events SET type = 'workspace.removing' WHERE type = 'workspace.leaving';
UPDATE events SET type = 'effect.failed', data = replace(data, '"step_failed"', '"effect_failed"') WHERE type = 'step.failed';
UPDATE events SET data = replace(data, '"cars":', '"entries":') WHERE type = 'train.changed';
UPDATE effects SET kind = 'run_execution', payload = replace(payload, '"run_turn"', '"run_execution"') WHERE kind = 'run_turn';
UPDATE effects SET lane = 'post_landing' WHERE lane = 'aftermath';
UPDATE effects SET lane = 'ordered_turns' WHERE lane = 'family';
