package dev.latchkey.plugins.codes;

import dev.latchkey.auth.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The content of the column for an unconfirmed enrolment.
 *
 * @param proof of the account's owner at the begin; null if the service has verified the owner
 */
record PendingSecret(CodeSecret secret, @Nullable Proof proof) {

    private static final int WORDS = 2;

    /**
     * A fresh proof at the begin of an enrolment.
     *
     * @param state of the account
     * @param methods of the proof
     */
    record Proof(Secret state, Set<String> methods) {}

    /** Reads the result of {@link #bytes}. */
    static PendingSecret of(byte[] bytes) {
        int start = 0;
        String[] words = new String[WORDS];
        for (int i = 0; i < WORDS; i++) {
            int end = start;
            while (bytes[end] != ' ') {
                end++;
            }
            words[i] = new String(bytes, start, end - start, StandardCharsets.US_ASCII);
            start = end + 1;
        }
        CodeSecret secret = CodeSecret.of(Arrays.copyOfRange(bytes, start, bytes.length));
        Set<String> methods = words[1].isEmpty() ? Set.of() : Set.copyOf(List.of(words[1].split(",")));
        return new PendingSecret(
                secret,
                words[0].isEmpty() ? null : new Proof(Secret.of(HexFormat.of().parseHex(words[0])), methods));
    }

    /** The form for encryption and storage: the state and the methods, empty without a proof, and the secret. Separated by spaces. */
    byte[] bytes() {
        String proved = proof == null
                ? " "
                : proof.state().<String>withBytes(HexFormat.of()::formatHex) + " "
                        + String.join(",", new TreeSet<>(proof.methods()));
        byte[] before = (proved + " ").getBytes(StandardCharsets.US_ASCII);
        byte[] after = secret.bytes();
        byte[] bytes = Arrays.copyOf(before, before.length + after.length);
        System.arraycopy(after, 0, bytes, before.length, after.length);
        return bytes;
    }
}
