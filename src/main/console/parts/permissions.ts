import {t} from '../texts/texts.js';

/** All permissions, as in docs/reference/permissions.md. */
export const PERMISSIONS = ['admin.platform.super', 'emails.email.sender', 'push.keys.creator', 'push.notifications.creator'] as const;
/** The name of a permission. */
export type Permission = typeof PERMISSIONS[number];

/** What a permission allows, in words. For a permission that the console does not know, its name. */
export const permissionName = (permission: string): string => (t.permissions.names as Record<string, string>)[permission] ?? permission;
