package dev.latchkey.auth.password.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.password.Cheap;
import dev.latchkey.auth.password.PasswordEncoders;
import org.junit.jupiter.api.Test;

/** A password stored in another normal form of Unicode than the presented password. */
class UnicodeUpgradeTest {

    private static final String COMPOSED = "caf\u00e9 cr\u00e8me";
    private static final String DECOMPOSED = "cafe\u0301 cre\u0300me";

    private static final PasswordEncoders AS_SENT = Cheap.encoders();

    @Test
    void upgrade_writesTheNormalForm() {
        UpgradeScene scene = new UpgradeScene();
        String old = AS_SENT.withDefault(Cheap.pbkdf2()).encode(DECOMPOSED);
        scene.table.put("ann", old);
        PasswordUpgrade upgrade =
                PasswordUpgrade.of(AS_SENT.withUnicodeNormalization(), scene::inTable, scene.pace, () -> scene.nanos);

        upgrade.afterSuccess("ann", DECOMPOSED, old);
        scene.pace.runAll();

        assertThat(AS_SENT.matches(COMPOSED, scene.table.get("ann"))).isTrue();
    }
}
