package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.function.Executable;

/** A store without an answer throws an outage, and the message has no id. */
final class StoreOutage {

    private StoreOutage() {}

    /** @param ids that no message may hold */
    static void assertOutage(Executable call, List<String> ids) {
        Throwable thrown = assertThrows(AuthUnavailableException.class, call);
        assertEquals(AuthUnavailableException.Kind.OUTAGE, ((AuthUnavailableException) thrown).kind());
        for (int depth = 0; thrown != null && depth < 10; depth++) {
            String message = String.valueOf(thrown.getMessage());
            for (String id : ids) {
                assertFalse(message.contains(id), "the message of an outage holds an id");
            }
            String lower = message.toLowerCase(Locale.ROOT);
            assertFalse(
                    lower.contains("insert into") || lower.contains("select ") || lower.contains("delete from"),
                    "the message of an outage holds a statement");
            thrown = thrown.getCause();
        }
    }

    /** Runs it, where the store takes such an id; one that it does not take is refused as a bad argument, clearly. */
    static boolean isTaken(Executable call) throws Throwable {
        try {
            call.execute();
            return true;
        } catch (IllegalArgumentException e) {
            assertFalse(String.valueOf(e.getMessage()).isBlank(), "a refusal says what was wrong");
            return false;
        }
    }
}
