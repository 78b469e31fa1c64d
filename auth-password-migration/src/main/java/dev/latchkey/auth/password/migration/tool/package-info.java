/**
 * The command line. The tool may use every other package of this module, and no package uses the tool. Start reading at
 * {@code PasswordTool}.
 */
@NullMarked
package dev.latchkey.auth.password.migration.tool;

import org.jspecify.annotations.NullMarked;
