package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.HeldMemory;
import dev.latchkey.auth.password.hash.MemoryPermits;
import dev.latchkey.auth.password.hash.NotedWork;
import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.ParsedHash;
import dev.latchkey.auth.password.hash.Pbkdf2Format;
import dev.latchkey.auth.password.hash.Scheme;
import dev.latchkey.auth.password.migration.ForeignFormats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every refusal costs what the current encoder costs. */
class EqualAnswersTest {

    private static final String PASSWORD = "correct horse";

    private static final PasswordEncoders ENCODERS = Foreign.encoders();

    /** All memory is taken, so a caller at the hash gets an overload: the test counts this as done work. */
    @Test
    void unknownUserWrongLongAndMalformed_allDoTheWorkOfTheCurrentEncoder() {
        MemoryPermits permits = MemoryPermits.ofBytes(64 * 1024).withMaxWait(Duration.ZERO);
        PasswordEncoders encoders = ENCODERS.withDefault(Cheap.argon2id()).withMemoryPermits(permits);
        String stored = encoders.encode(PASSWORD);
        String malformed = stored.substring(0, stored.length() - 9) + "!";

        HeldMemory.of(permits, 64 * 1024, () -> {
            assertOverload(() -> encoders.matches(PASSWORD, stored));
            assertOverload(() -> encoders.matches("wrong", stored));
            assertOverload(() -> encoders.matchesNobody(PASSWORD));
            assertOverload(() -> encoders.matches("x".repeat(5000), stored));
            assertOverload(() -> encoders.matches("\ud800", stored));
            assertOverload(() -> encoders.matches("", stored));
            assertOverload(() -> encoders.matches(PASSWORD, malformed));
            assertOverload(() -> encoders.matches("x".repeat(5000), malformed));
            assertOverload(() -> encoders.matches(PASSWORD, "{noop}" + PASSWORD));
        });
        assertThat(encoders.matches(PASSWORD, stored)).isTrue();
    }

    private static void assertOverload(Runnable check) {
        assertThatThrownBy(check::run)
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        e -> assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.OVERLOAD));
    }

    /** An encoder with a thousand iterations for new hashes, which only notes the calls. */
    private static final class Noting {
        private final List<String> work = new ArrayList<>();

        PasswordEncoders encoders() {
            Parameters parameters = Pbkdf2Format.Prf.SHA256.parameters(1000);
            Scheme scheme = NotedWork.of(parameters, share -> work.add(share == 1 ? "a hash" : String.valueOf(share)));
            return ENCODERS.withDefault(HashSpec.unchecked(parameters, permits -> scheme));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, a hash",
        "20, a hash",
        "250, 0.75",
        "750, 0.25",
        "1000, ",
        "4000, ",
    })
    void wrongPasswordForARowOfLowerCost_doesTheRestOfTheWork(int iterations, String rest) {
        Noting noting = new Noting();
        String row = ENCODERS.withDefault(HashSpec.unchecked(
                        Pbkdf2Format.Prf.SHA256.parameters(iterations),
                        permits -> Pbkdf2Format.writing(Pbkdf2Format.Prf.SHA256, iterations)))
                .encode(PASSWORD);

        assertThat(noting.encoders().matches("wrong", row)).isFalse();
        assertThat(noting.work).isEqualTo(rest == null ? List.of() : List.of(rest));
    }

    /** Spring's has 32 bytes of SHA-1's 20, which are two blocks of 185,000 iterations each: more than the third of a second. */
    @Test
    void wrongPasswordForAHashOfTwoBlocks_doesTheRestOfTheWork() {
        List<Double> rest = new ArrayList<>();
        Parameters parameters = Pbkdf2Format.Prf.SHA256.parameters(1_000_000);
        Scheme scheme = NotedWork.of(parameters, rest::add);
        PasswordEncoders encoders = ENCODERS.withDefault(HashSpec.unchecked(parameters, permits -> scheme));

        assertThat(encoders.matches("wrong", "{pbkdf2}" + "ab".repeat(40))).isFalse();
        assertThat(rest).singleElement().satisfies(share -> assertThat(share).isBetween(0.6, 0.7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{SSHA}TmX8LrrVRFvgTaP2MUaAdeNc2yP7XyuF",
                "*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19",
                "sha1$salt$0000000000000000000000000000000000000000",
                "{noop}correct horse",
                "$2a$17$upoTN/OJHHG1Y0CAVf6E.OyA7wTGkQfmz1XB6hZ1nqbTe150BeHOS",
                "nonsense"
            })
    void wrongPasswordForARowThatIsQuicklyChecked_doesAllTheWorkOfANewHash(String row) {
        Noting noting = new Noting();

        assertThat(noting.encoders().matches("wrong", row)).isFalse();
        assertThat(noting.work).containsExactly("a hash");
    }

    @Test
    void rightPassword_costsItsRowAndNoMore() {
        Noting noting = new Noting();

        assertThat(noting.encoders().matches(PASSWORD, ENCODERS.encode(PASSWORD)))
                .isTrue();
        assertThat(noting.encoders().matches("a", "*667F407DE7C6AD07358FA38DAED7828A72014B4E"))
                .isTrue();
        assertThat(noting.work).isEmpty();
    }

    /** The stand-in for a rejected password may be a real password of an account. */
    @Test
    void refusedPasswordWhoseStandInMatches_isAnsweredLikeAWrongOne() {
        Noting noting = new Noting();
        String ofTheStandIn = ENCODERS.withDefault(Cheap.pbkdf2()).encode("stand-in");

        assertThat(noting.encoders().matches("x".repeat(5000), ofTheStandIn)).isFalse();
        assertThat(noting.work).containsExactly("a hash");
    }

    static Stream<Parameters> parametersOfRealHashes() {
        HashFormat formats = Foreign.formats(ForeignFormats.all(), MemoryPermits.quarterOfHeap());
        return RealToolHashesTest.hashes().stream()
                .map(made -> (ParsedHash.Checkable) Objects.requireNonNull(formats.read(made.hash())))
                .map(ParsedHash.Checkable::parameters)
                .filter(parameters -> !parameters.costs().isEmpty())
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("parametersOfRealHashes")
    void effortFollowsTheCosts(Parameters parameters) {
        String last =
                List.copyOf(parameters.costs().keySet()).get(parameters.costs().size() > 1 ? 1 : 0);
        boolean isLog = List.of("cost", "log2rounds").contains(last);
        int cost = parameters.cost(last);

        assertThat(parameters.nanos()
                        / parameters.and(last, isLog ? cost + 1 : cost * 2).nanos())
                .isEqualTo(0.5);
    }
}
