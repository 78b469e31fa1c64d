/**
 * The command line. It may use every other package of this module, and none of them uses it. Start reading at {@code PasswordTool}.
 */
@NullMarked
package dev.latchkey.auth.password.migration.tool;

import org.jspecify.annotations.NullMarked;
