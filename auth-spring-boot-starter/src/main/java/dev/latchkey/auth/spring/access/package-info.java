/**
 * What the plugins say of permissions, as Spring Security asks: by {@code hasPermission} in method security, and by rules of a
 * filter chain. It may use {@code plugin} and what that uses. Start with
 * {@link dev.latchkey.auth.spring.access.PermissionPattern}.
 */
@NullMarked
package dev.latchkey.auth.spring.access;

import org.jspecify.annotations.NullMarked;
