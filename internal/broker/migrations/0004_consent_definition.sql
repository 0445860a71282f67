-- Of a tool from outside, which definition of it the person said yes to; ""
-- for the hall's own. An older yes to a tool from outside fits none.
ALTER TABLE broker_consents ADD COLUMN definition TEXT NOT NULL DEFAULT '';
