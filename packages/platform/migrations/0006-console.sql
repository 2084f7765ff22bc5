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
  -- Browser and system in two words, and the network of the caller: enough for its owner to recognise a session, and no more.
  device        text not null,
  network       text not null
);
create index console_session_account on console_session (account_id);
create index console_session_expiry on console_session (expires_at);

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
  details     jsonb not null default '{}'
);
create index console_audit_brand on console_audit (brand_id, audit_id);
create index console_audit_subject on console_audit (brand_id, subject, audit_id);
