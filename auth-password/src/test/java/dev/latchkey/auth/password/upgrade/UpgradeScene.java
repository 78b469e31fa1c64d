package dev.latchkey.auth.password.upgrade;

import dev.latchkey.auth.password.Cheap;
import dev.latchkey.auth.password.PasswordEncoders;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An old hash, a table to keep its replacement in, and upgrades at the pace and at the time of a test. */
final class UpgradeScene {

    static final String PASSWORD = "correct horse";

    /** Without an id: the password may have been cut. */
    static final String OLD = "$2b$04$upoTN/OJHHG1Y0CAVf6E.OyA7wTGkQfmz1XB6hZ1nqbTe150BeHOS";

    final PasswordEncoders encoders = Cheap.encoders();
    final ManualExecutor pace = new ManualExecutor();
    final Map<String, String> table = new ConcurrentHashMap<>();

    /** As of {@code System.nanoTime}, which may overflow. */
    long nanos = Long.MAX_VALUE;

    PasswordUpgrade upgrade(StoredPasswords store) {
        return PasswordUpgrade.of(encoders, store, pace, () -> nanos);
    }

    boolean inTable(String account, String expected, String replacement) {
        return table.replace(account, expected, replacement);
    }
}
