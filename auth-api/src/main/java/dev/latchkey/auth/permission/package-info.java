/**
 * The SPI for permissions: {@link dev.latchkey.auth.permission.PermissionSource} decides what a subject may do
 * after its login. A plugin for logins does not need this package.
 */
@NullMarked
package dev.latchkey.auth.permission;

import org.jspecify.annotations.NullMarked;
