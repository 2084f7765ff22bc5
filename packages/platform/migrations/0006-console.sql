-- People who work in the console, what each may do, and what they did (src/console/README.md).

create table console_account ( -- control
  account_id       int generated always as identity primary key,
  -- Lower-cased and trimmed before it gets here: one mailbox, one account.
  email            text not null unique,
  -- scrypt with its own parameters and salt; see accounts/passwords.ts.
  password         text not null,
  created_at       timestamptz not null default now(),
  password_set_at  timestamptz not null default now(),
  disabled_at      timestamptz
);

-- A role at one brand, or at all brands, those to come included, when brand_id is null.
create table console_grant ( -- control
  account_id  int not null references console_account on delete cascade,
  brand_id    int references brand,
  role        text not null check (role in ('admin', 'crm', 'integrator', 'compliance', 'support', 'analyst', 'viewer')),
  unique nulls not distinct (account_id, brand_id, role)
);

-- The token itself is never stored: who reads this table, or a backup of it, cannot sign in with what he finds.
create table console_session ( -- control
  sha256        bytea primary key check (length(sha256) = 32),
  -- Names the session in lists. The token cannot be derived from it.
  session_id    bigint generated always as identity unique,
  account_id    int not null references console_account on delete cascade,
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  -- Written at most once a minute.
  last_used_at  timestamptz not null,
  -- Its owner gave a second factor when it was opened, or has added one since.
  second_factor boolean not null,
  -- Browser and system in two words, and the network of the caller: enough for its owner to recognise a session, and no more.
  device        text not null,
  network       text not null
);
create index console_session_account on console_session (account_id);
create index console_session_expiry on console_session (expires_at);

-- The authenticator app of an account (accounts/second-factor/totp.ts).
create table console_totp ( -- control
  account_id    int primary key references console_account on delete cascade,
  -- Encrypted with a key from CROUPIER_SECRET, as the credentials of operators are.
  secret        bytea not null,
  -- Null until its owner has entered a first code.
  confirmed_at  timestamptz,
  -- The 30 seconds of the newest code that was accepted: no code is accepted twice.
  last_step     bigint not null default 0
);

-- Codes for the day on which the phone is lost. 80 random bits each, so that a plain hash of them is enough to store.
create table console_recovery_code ( -- control
  account_id  int not null references console_account on delete cascade,
  sha256      bytea not null check (length(sha256) = 32),
  used_at     timestamptz,
  primary key (account_id, sha256)
);

create table console_passkey ( -- control
  passkey_id     int generated always as identity primary key,
  account_id     int not null references console_account on delete cascade,
  -- As the authenticator names it, in base64url.
  credential_id  text not null unique,
  public_key     bytea not null,
  -- Of the authenticator's uses; 0 for ever with those that do not count.
  sign_count     bigint not null,
  transports     text[] not null,
  name           text not null,
  created_at     timestamptz not null,
  last_used_at   timestamptz
);
create index console_passkey_account on console_passkey (account_id);

-- Wrong codes of an authenticator app, per account and window (accounts/second-factor/code-limit.ts).
create table console_code_failure ( -- control
  account_id      int primary key references console_account on delete cascade,
  failures        int not null,
  window_ends_at  timestamptz not null
);

-- Tickets between password and second factor that have opened a session: each does so once.
create table console_used_ticket ( -- control
  ticket_id   text primary key,
  expires_at  timestamptz not null
);

-- Brands at which a session needs a second factor; null: every brand.
create table console_second_factor_rule ( -- control
  brand_id  int references brand,
  unique nulls not distinct (brand_id)
);

-- Failed logins, counted per subject (accounts/login-limit.ts). Subjects are hashes: the table holds no addresses.
-- A subject is one of a fixed number of places, so the rows are bounded; or a network that signed in to an account, until it is forgotten.
create table console_login_failure ( -- control
  subject         bytea primary key check (length(subject) = 32),
  failures        int not null,
  window_ends_at  timestamptz not null,
  -- When the last attempt that took a turn is heard.
  turn_at         timestamptz not null
);
create index console_login_failure_window on console_login_failure (window_ends_at);

-- What a person or the automation token changed. Personal details stay out of it: subject names a record, not a player.
create table console_audit ( -- control
  audit_id    bigint generated always as identity primary key,
  at          timestamptz not null,
  account_id  int references console_account,
  -- The e-mail at that time, or 'admin token', so that the row still reads when the account is gone.
  actor       text not null,
  brand_id    int references brand,
  action      text not null,
  subject     text not null,
  -- json, not jsonb: the hash of an entry is over this text.
  details     json not null default '{}'
);
create index console_audit_brand on console_audit (brand_id, audit_id);
create index console_audit_subject on console_audit (brand_id, subject, audit_id);

-- Which seal covers an entry; null: none yet. Beside the entry, which is never updated.
create table console_audit_mark ( -- control
  audit_id  bigint primary key,
  seal_no   bigint
);
create index console_audit_unsealed on console_audit_mark (audit_id) where seal_no is null;
create index console_audit_sealed on console_audit_mark (seal_no, audit_id) where seal_no is not null;

-- One row per batch of entries, of all brands and of the installation. See src/console/audit/seal.ts for what is hashed.
create table console_audit_seal ( -- control
  seal_no    bigint primary key,
  entries    int not null check (entries > 0),
  -- The entries covered, ascending, and the 32 bytes of each one's hash in that order.
  audit_ids  bigint[] not null,
  leaves     bytea not null,
  root       bytea not null check (length(root) = 32),
  previous   bytea not null check (length(previous) = 32),
  hash       bytea not null check (length(hash) = 32),
  sealed_at  timestamptz not null
);
