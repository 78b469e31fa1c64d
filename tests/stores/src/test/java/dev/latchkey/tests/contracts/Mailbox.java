package dev.latchkey.tests.contracts;

import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Secret;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Mailed and unused links and codes, codes by the number of the challenge. All plugins of a test share the mailbox. */
final class Mailbox {

    private final AtomicInteger numbers = new AtomicInteger(100_000);
    final Map<String, String> links = new ConcurrentHashMap<>();
    final Map<String, String> codes = new ConcurrentHashMap<>();
    final Map<String, String> lastNumbers = new ConcurrentHashMap<>();

    Secret mailLink(String account) {
        String link = "link-" + numbers.incrementAndGet() + "-of-the-mail";
        links.put(link, account);
        return Secret.of(link);
    }

    /** The number of a challenge, for its state. */
    String mailCode(String account) {
        String number = "challenge-" + numbers.incrementAndGet();
        codes.put(account + " " + number, String.valueOf(numbers.addAndGet(7_919) % 900_000 + 100_000));
        lastNumbers.put(account, number);
        return number;
    }

    Secret lastCodeFor(Challenged challenge) {
        String account = challenge.soFar().subject().id();
        String number = challenge
                .state()
                .map(state -> state.<String>withText(CharSequence::toString))
                .orElseGet(() -> lastNumbers.get(account));
        return Secret.of(codes.getOrDefault(account + " " + number, "000000"));
    }
}
