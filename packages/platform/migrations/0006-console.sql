-- Console accounts, their roles, and the audit of their actions (src/console/README.md).

create table console_account ( -- control
  account_id       int generated always as identity primary key,
  -- Stored trimmed and in lower case, so that one mailbox has one account.
  email            text not null unique,
  -- scrypt with its own parameters and salt (accounts/passwords.ts). Null: the account signs in only through the identity
  -- provider.
  password         text,
  created_at       timestamptz not null default now(),
  password_set_at  timestamptz not null default now(),
  disabled_at      timestamptz
);

-- A role at one brand. If brand_id is null, it applies at all brands, including later ones.
create table console_grant ( -- control
  account_id  int not null references console_account on delete cascade,
  brand_id    int references brand,
  role        text not null check (role in ('admin', 'crm', 'integrator', 'compliance', 'support', 'analyst', 'viewer')),
  unique nulls not distinct (account_id, brand_id, role)
);

-- The token itself is never stored, so a person who reads this table or a backup of it cannot sign in.
create table console_session ( -- control
  sha256        bytea primary key check (length(sha256) = 32),
  -- Identifies the session in lists. The token cannot be derived from it.
  session_id    bigint generated always as identity unique,
  account_id    int not null references console_account on delete cascade,
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  -- Updated at most once a minute.
  last_used_at  timestamptz not null,
  -- When the owner last confirmed their identity: at sign-in, or before a change of sign-in settings.
  proven_at     timestamptz not null,
  -- The first factor: password or single_sign_on.
  signed_in_by  text not null check (signed_in_by in ('password', 'single_sign_on')),
  -- True if the owner gave a second factor at sign-in, or has added one since.
  second_factor boolean not null,
  -- Browser and system in two words, and the network of the caller. This is enough for the owner to recognize a session.
  device        text not null,
  network       text not null
);
create index console_session_account on console_session (account_id);
create index console_session_expiry on console_session (expires_at);

-- The person at the identity provider to whom an account belongs (accounts/single-sign-on). A provider never reuses a subject
-- for another person.
create table console_identity ( -- control
  account_id  int primary key references console_account on delete cascade,
  issuer      text not null,
  subject     text not null,
  linked_at   timestamptz not null,
  unique (issuer, subject)
);

-- The authenticator app of an account (accounts/second-factor/totp.ts).
create table console_totp ( -- control
  account_id    int primary key references console_account on delete cascade,
  -- Encrypted with a key derived from CROUPIER_SECRET, like operator credentials.
  secret        bytea not null,
  -- Null until the owner has entered a first code.
  confirmed_at  timestamptz,
  -- The 30-second step of the latest accepted code. No code is accepted twice.
  last_step     bigint not null default 0
);

-- Recovery codes for the loss of all factors. Each has 80 random bits, so a plain hash is sufficient.
create table console_recovery_code ( -- control
  account_id  int not null references console_account on delete cascade,
  sha256      bytea not null check (length(sha256) = 32),
  used_at     timestamptz,
  primary key (account_id, sha256)
);

create table console_passkey ( -- control
  passkey_id     int generated always as identity primary key,
  account_id     int not null references console_account on delete cascade,
  -- The authenticator's name for it, in base64url.
  credential_id  text not null unique,
  public_key     bytea not null,
  -- Number of uses, as the authenticator counts them. It stays 0 for authenticators that do not count.
  sign_count     bigint not null,
  transports     text[] not null,
  name           text not null,
  created_at     timestamptz not null,
  last_used_at   timestamptz
);
create index console_passkey_account on console_passkey (account_id);

-- Number of wrong codes from an authenticator app, per account and window (accounts/second-factor/store.ts).
create table console_code_failure ( -- control
  account_id      int primary key references console_account on delete cascade,
  failures        int not null,
  window_ends_at  timestamptz not null
);

-- Tickets between password and second factor that have opened a session. Each works once.
create table console_used_ticket ( -- control
  ticket_id   text primary key,
  expires_at  timestamptz not null
);

-- Brands at which a session needs a second factor. Null: every brand.
create table console_second_factor_rule ( -- control
  brand_id  int references brand,
  unique nulls not distinct (brand_id)
);

-- Failed logins per subject (accounts/login-limit.ts). Subjects are hashes, so the table has no addresses. A subject is either
-- one of a fixed number of slots, so the number of rows is limited, or a network that signed in to an account, until it is
-- deleted.
create table console_login_failure ( -- control
  subject         bytea primary key check (length(subject) = 32),
  failures        int not null,
  window_ends_at  timestamptz not null,
  -- The time at which the last queued attempt is processed.
  turn_at         timestamptz not null
);
create index console_login_failure_window on console_login_failure (window_ends_at);

-- Changes by people and by the automation token. `subject` identifies the record without personal details of a player.
create table console_audit ( -- control
  audit_id    bigint generated always as identity primary key,
  at          timestamptz not null,
  account_id  int references console_account,
  -- The e-mail at that time, or 'admin token', so that the entry stays readable after the account is gone.
  actor       text not null,
  brand_id    int references brand,
  action      text not null,
  subject     text not null,
  -- json, not jsonb, because the hash of an entry covers this text.
  details     json not null default '{}'
);
create index console_audit_brand on console_audit (brand_id, audit_id);
create index console_audit_subject on console_audit (brand_id, subject, audit_id);
create index console_audit_account on console_audit (brand_id, account_id, audit_id);
create index console_audit_action on console_audit (brand_id, action, audit_id);

-- The seal that covers an entry. Null: none yet. It is in its own table because entries are never updated.
create table console_audit_mark ( -- control
  audit_id  bigint primary key,
  seal_no   bigint
);
create index console_audit_unsealed on console_audit_mark (audit_id) where seal_no is null;
create index console_audit_sealed on console_audit_mark (seal_no, audit_id) where seal_no is not null;

-- One row per batch of entries, across all brands and the installation. src/console/audit/seal.ts describes what is hashed.
create table console_audit_seal ( -- control
  seal_no    bigint primary key,
  entries    int not null check (entries > 0),
  -- The ids of the covered entries, ascending, and the 32-byte hash of each in that order.
  audit_ids  bigint[] not null,
  leaves     bytea not null,
  root       bytea not null check (length(root) = 32),
  previous   bytea not null check (length(previous) = 32),
  hash       bytea not null check (length(hash) = 32),
  sealed_at  timestamptz not null
);
