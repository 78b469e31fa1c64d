/**
 * Permissions for Spring Security: {@code hasPermission} in method security, and rules of filter chains. This package may use
 * {@code plugin} and the packages below. Start with {@link dev.latchkey.auth.spring.access.PermissionPattern}.
 */
@NullMarked
package dev.latchkey.auth.spring.access;

import org.jspecify.annotations.NullMarked;
