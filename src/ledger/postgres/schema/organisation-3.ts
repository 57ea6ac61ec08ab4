/**
 * People who sign in with a browser, servers that share a quota, and quotas of keys. A sign-in is found by the hash of its cookie, as a key is
 * by its id: servers learn from it which organisation a request is about.
 */
export const ORGANISATION_3 = `
  CREATE TABLE unrut.sign_ins (
    token text COLLATE "C" PRIMARY KEY, org integer NOT NULL, person text COLLATE "C" NOT NULL, groups text[] COLLATE "C" NOT NULL,
    csrf text COLLATE "C" NOT NULL, created timestamptz NOT NULL DEFAULT now(), expires timestamptz NOT NULL
  );
  CREATE INDEX sign_ins_by_person ON unrut.sign_ins (org, person);
  ALTER TABLE unrut.sign_ins ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY organisation ON unrut.sign_ins USING (org = nullif(current_setting('unrut.org', true), '')::integer);
  CREATE POLICY upkeep ON unrut.sign_ins TO CURRENT_USER USING (current_setting('unrut.upkeep', true) = 'on');
  CREATE POLICY named ON unrut.sign_ins FOR SELECT USING (token = nullif(current_setting('unrut.key', true), ''));
  GRANT SELECT, INSERT, DELETE ON unrut.sign_ins TO unrut_server;

  CREATE TABLE unrut.servers (server text COLLATE "C" PRIMARY KEY, seen timestamptz NOT NULL);
  GRANT SELECT, INSERT, UPDATE, DELETE ON unrut.servers TO unrut_server;

  ALTER TABLE unrut.api_keys ADD COLUMN quota jsonb;
`;
