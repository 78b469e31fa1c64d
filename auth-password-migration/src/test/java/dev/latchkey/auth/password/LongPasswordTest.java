package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.password.hash.NotedWork;
import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.ParsedHash;
import dev.latchkey.auth.password.hash.Pbkdf2Format;
import dev.latchkey.auth.password.hash.Scheme;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Old formats hash the password in every round, so a long password buys work: the ceiling is on rounds times length. */
class LongPasswordTest {

    private static final PasswordEncoders ENCODERS = Foreign.encoders().withMaxPasswordBytes(4096);

    /** Hashes by passlib of 1,024 letters x (phpass: 1,000), each of which takes more than a second. */
    @ParameterizedTest
    @CsvSource({
        "'$6$rounds=300000$saltsaltsalt$hhElfVEcE7vxEbAg29LSOFx.87vvEpWma1g3PYIUZ2pxAnxMAXRFObtDHyLCwwDqCkIJS1ZxgKqvXQw9DMERy.', 1024",
        "'$5$rounds=700000$saltsaltsalt$urJBUKLOwx3amvPtGKqHdfejGiXEhKO4Zl9ALlVelp2', 1024",
        "'$P$IsaltsaltPRr6My31sAutTGdzMdIiy/', 1000"
    })
    void roundsTimesLengthBeyondTheCeiling_isNotHashed(String row, int length) {
        assertThat(ENCODERS.matches("x".repeat(length), row)).isFalse();
        assertThat(ENCODERS.identify(row).standing()).isEqualTo(HashInfo.Standing.UPGRADE);
    }

    /** At what passlib takes by default, a passphrase of some lines. */
    @ParameterizedTest
    @CsvSource({
        "'$6$rounds=656000$salt$', 86, 256",
        "'$5$rounds=535000$salt$', 43, 128",
        "'$P$H', 30, 128",
    })
    void longPassphraseAtTheUsualCosts_isHashed(String start, int hashCharacters, int length) {
        ParsedHash.Checkable row = (ParsedHash.Checkable) Foreign.read(start + ".".repeat(hashCharacters));

        assertThat(row.takes(length)).isTrue();
        assertThat(row.takes(4096)).isFalse();
    }

    /** Formats with and without the password in each round. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "$6$rounds=1000$saltsaltsalt$hhElfVEcE7vxEbAg29LSOFx.87vvEpWma1g3PYIUZ2pxAnxMAXRFObtDHyLCwwDqCkIJS1ZxgKqvXQw9DMERy.",
                "$5$rounds=1000$saltsaltsalt$urJBUKLOwx3amvPtGKqHdfejGiXEhKO4Zl9ALlVelp2",
                "$1$saltsalt$TLa2BdF/JzVHtgHZxXDjI0",
                "$apr1$saltsalt$TLa2BdF/JzVHtgHZxXDjI0",
                "$P$8saltsaltPRr6My31sAutTGdzMdIiy/"
            })
    void wrongLongPassword_isAnsweredAsForAnUnknownUser(String row) {
        assertThat(restAfter("x".repeat(8), row)).isGreaterThan(restAfter("x".repeat(1024), row) + 0.03);
        assertThat(restAfter("x".repeat(2048), row)).isLessThan(restAfter("x".repeat(1024), row));
        assertThat(restAfter("x".repeat(1024), "nonsense")).isEqualTo(1);
    }

    @Test
    void lengthOfAPasswordThatIsHashedFirst_doesNotMatter() {
        String row = "{bcrypt}$2b$04$upoTN/OJHHG1Y0CAVf6E.OyA7wTGkQfmz1XB6hZ1nqbTe150BeHOS";

        assertThat(restAfter("x".repeat(8), row)).isEqualTo(restAfter("x".repeat(1024), row));
    }

    /** The done share of a new hash with 75,000 iterations, after the check of the row. */
    private static double restAfter(String password, String row) {
        List<Double> shares = new ArrayList<>();
        Parameters parameters = Pbkdf2Format.Prf.SHA256.parameters(75_000);
        Scheme scheme = NotedWork.of(parameters, shares::add);
        PasswordEncoders encoders = ENCODERS.withDefault(HashSpec.unchecked(parameters, permits -> scheme));

        assertThat(encoders.matches(password, row)).isFalse();
        return shares.stream().mapToDouble(Double::doubleValue).sum();
    }
}
