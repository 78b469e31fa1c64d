/**
 * Roles and permissions: what a subject may do, by patterns of resources that its roles have, from tables or from properties. Start with
 * {@link dev.latchkey.plugins.permissions.PermissionsPlugin}.
 */
@NullMarked
package dev.latchkey.plugins.permissions;

import org.jspecify.annotations.NullMarked;
