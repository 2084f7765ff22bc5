/** Front door of privacy: export and erasure of one player. */
export {};
