/** Returns whether a text that was typed as the id of a player is an e-mail or a phone number. Pure. */
export const isEmailOrPhone = (text: string): boolean => text.includes('@') || /^\s*\+\s*\(?\d[\d\s()/.-]*$/.test(text);
