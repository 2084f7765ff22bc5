export const roles = ['admin', 'integrator', 'crm', 'support', 'analyst', 'compliance', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** A role at one brand. The brand is null for every brand. */
export interface RoleAt {
  brand: string | null;
  role: Role;
}
