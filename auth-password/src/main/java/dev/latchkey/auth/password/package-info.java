/**
 * Password encoders: {@code PasswordEncoders}, how they hash ({@code HashSpec}), what a stored value is ({@code HashInfo}), and the keys
 * outside of the database ({@code Pepper}). This package uses {@code hash}; all others may use it. Start reading at
 * {@code PasswordEncoders}, then {@code StoredHashes}.
 */
@NullMarked
package dev.latchkey.auth.password;

import org.jspecify.annotations.NullMarked;
