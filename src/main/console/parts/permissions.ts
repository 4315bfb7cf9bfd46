import {t} from '../texts/texts.js';

/** Every permission that there is: docs/reference/permissions.md. */
export const PERMISSIONS = ['admin.platform.super', 'emails.email.sender', 'push.keys.creator', 'push.notifications.creator'] as const;
export type Permission = typeof PERMISSIONS[number];

/** What a permission allows, in words; its name where the console does not know it. */
export const permissionName = (permission: string): string => (t.permissions.names as Record<string, string>)[permission] ?? permission;
