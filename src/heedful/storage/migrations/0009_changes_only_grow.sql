-- The highest number of an arrival or edit that left: what comes later gets a higher one, or whoever reads from these
-- numbers would never meet it. It begins behind all that was read already.

CREATE TABLE changes_gone (
  changed INTEGER NOT NULL
) STRICT;

INSERT INTO changes_gone (changed) SELECT max(
  coalesce((SELECT max(changed) FROM finder_cursors WHERE finder NOT LIKE '% calendar'), 0),
  coalesce((SELECT place FROM stage_cursors WHERE stage = 'digest'), 0)
);

CREATE TRIGGER changes_are_not_given_twice AFTER DELETE ON messages BEGIN
  UPDATE changes_gone SET changed = old.changed WHERE changed < old.changed;
END;
