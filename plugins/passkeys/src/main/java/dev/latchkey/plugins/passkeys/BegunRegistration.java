package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.Factors;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The proof of a registration, between its begin and its confirmation. The client keeps the proof in the challenge.
 *
 * @param plugin the source of the proof
 * @param factors of the proof, and the time of the begin
 */
record BegunRegistration(String plugin, Factors factors) {

    /** Whether the account has shown a passkey. Otherwise the new passkey is the account's first, or is not registered. */
    boolean hasShownAPasskey() {
        return factors.methods().contains(PasskeysPlugin.KEY);
    }

    /** The form for the challenge. Names of plugins and of methods have no spaces. */
    String note() {
        return plugin + " " + String.join(" ", new TreeSet<>(factors.methods()));
    }

    /** Reads the result of {@link #note}. */
    static BegunRegistration of(String note, Instant begun) {
        List<String> words = List.of(note.strip().split(" "));
        return new BegunRegistration(words.get(0), new Factors(Set.copyOf(words.subList(1, words.size())), begun));
    }
}
