/**
 * Password encoders: {@code PasswordEncoders}, the algorithm and costs ({@code HashSpec}), the description of a stored
 * value ({@code HashInfo}), and keys outside the database ({@code Pepper}). This package uses {@code hash}; all other
 * packages may use this package. Start reading at {@code PasswordEncoders}, then {@code StoredHashes}.
 */
@NullMarked
package dev.latchkey.auth.password;

import org.jspecify.annotations.NullMarked;
