/**
 * Roles and permissions: patterns of resources in tables or properties decide a subject's permissions. Start with
 * {@link dev.latchkey.plugins.permissions.PermissionsPlugin}.
 */
@NullMarked
package dev.latchkey.plugins.permissions;

import org.jspecify.annotations.NullMarked;
