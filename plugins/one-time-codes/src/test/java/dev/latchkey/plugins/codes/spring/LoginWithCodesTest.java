package dev.latchkey.plugins.codes.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.plugins.codes.OneTimeCodes;
import dev.latchkey.plugins.codes.Phone;
import dev.latchkey.plugins.codes.SetClock;
import dev.latchkey.plugins.codes.spring.Client.Reply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.HttpHeaders;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Logins of a service that has nothing but the dependency, a key and the table, on both stacks. */
@Tag("long")
class LoginWithCodesTest {

    private static final Duration STEP = Duration.ofSeconds(30);

    /** A source has 60 repeats of wrong passwords in a minute. */
    private static final int MORE_THAN_REPEATS = 150;

    private static final String ELSEWHERE = "latchkey.plugin.one-time-codes.limited-elsewhere=true";

    private final SetClock clock = SharedService.CLOCK;

    private Phone enrol(OneTimeCodes codes) {
        Phone phone = codes.begin("ada").orElseThrow().key().withText(key -> new Phone(key, clock));
        assertThat(codes.confirm("ada", Secret.of(phone.code()))).isPresent();
        clock.move(STEP);
        return phone;
    }

    @ParameterizedTest
    @EnumSource
    void accountThatHasEnrolled_logsInWithACode_andTheOthersAsBefore(Stack stack) {
        stack.run((client, context) -> {
            OneTimeCodes codes = context.getBean(OneTimeCodes.class);
            Phone phone = codes.begin("ada").orElseThrow().key().withText(key -> new Phone(key, clock));
            assertThat(client.login("ada").status()).as("pending").isEqualTo(200);
            Secret recovery =
                    codes.confirm("ada", Secret.of(phone.code())).orElseThrow().get(0);
            clock.move(STEP);

            Reply first = client.login("ada");
            assertThat(first.status()).isEqualTo(401);
            assertThat(first.member("method")).isEqualTo("otp");
            Reply second = client.goOn(first, phone.code());
            assertThat(second.status()).isEqualTo(200);
            assertThat(second.body()).contains("access_token");

            Reply replayed = client.goOn(client.login("ada"), phone.code());
            assertThat(replayed.status()).isEqualTo(401);
            String typed = recovery.withText(CharSequence::toString).toLowerCase(java.util.Locale.ROOT);
            assertThat(client.goOn(client.login("ada"), typed).status()).isEqualTo(200);
            assertThat(client.login("bob").status()).isEqualTo(200);
        });
    }

    @ParameterizedTest
    @EnumSource
    void guessesAtCodes_endIn429(Stack stack) {
        stack.run((client, context) -> {
            Phone phone = enrol(context.getBean(OneTimeCodes.class));
            int guesses = 0;
            Reply reply = client.login("ada");
            while (reply.status() == 401 && guesses < 100) {
                assertThat(client.goOn(reply, phone.wrongCode()).status()).isEqualTo(401);
                guesses++;
                reply = client.login("ada");
            }
            assertThat(reply.status()).isEqualTo(429);
            assertThat(guesses).isEqualTo(5);
        });
    }

    @ParameterizedTest
    @EnumSource
    void callerThatDoesNotKnowThePassword_learnsNothingOfCodes(Stack stack) {
        stack.run((client, context) -> {
            enrol(context.getBean(OneTimeCodes.class));
            String wrong = Client.LOGIN.replace(Services.PASSWORD, "wrong");
            Reply enrolled = client.send("POST", "/auth/token", "", wrong.formatted("ada"));
            assertThat(enrolled.status()).isEqualTo(401);
            assertThat(client.send("POST", "/auth/token", "", wrong.formatted("bob")))
                    .isEqualTo(enrolled);
            assertThat(client.send("POST", "/auth/token", "", wrong.formatted("nobody")))
                    .isEqualTo(enrolled);
        });
    }

    @ParameterizedTest
    @EnumSource
    void outageOfTheTable_letsNobodyIn(Stack stack) {
        stack.run((client, context) -> {
            Phone phone = enrol(context.getBean(OneTimeCodes.class));
            Reply first = client.login("ada");
            context.getBean(JdbcClient.class)
                    .sql("alter table latchkey_one_time_codes rename to gone")
                    .update();
            assertThat(client.goOn(first, phone.code()).status()).isEqualTo(503);
            assertThat(client.login("ada").status()).isEqualTo(503);
            assertThat(client.login("bob").status()).isEqualTo(503);
        });
    }

    /**
     * The manager asks the chain. If the manager decides by itself, the plugin is asked afterwards, with and without limits.
     */
    @ParameterizedTest
    @EnumSource
    void passwordAlone_letsNobodyInWhoHasEnrolled(Stack stack) {
        assertPasswordAloneLetsNobodyIn(stack);
        String itself = "latchkey.authentication-manager.enabled=false";
        assertPasswordAloneLetsNobodyIn(stack, itself);
        for (String off : List.of("latchkey.guard.limits.enabled=false", "latchkey.guard.enabled=false")) {
            assertPasswordAloneLetsNobodyIn(stack, itself, off, ELSEWHERE);
        }
    }

    private void assertPasswordAloneLetsNobodyIn(Stack stack, String... properties) {
        stack.run(
                (client, context) -> {
                    String basic = basic("ada");
                    assertThat(client.get(basic).status()).isEqualTo(404);
                    Phone phone = enrol(context.getBean(OneTimeCodes.class));
                    assertThat(client.get(basic).status()).isEqualTo(401);
                    String token =
                            client.goOn(client.login("ada"), phone.code()).member("access_token");
                    assertThat(client.get("Bearer " + token).status()).isEqualTo(404);
                    String bob = basic("bob");
                    assertThat(client.get(bob).status()).isEqualTo(404);
                    context.getBean(JdbcClient.class)
                            .sql("alter table latchkey_one_time_codes rename to gone")
                            .update();
                    assertThat(client.get(basic).status()).isEqualTo(503);
                },
                properties);
    }

    /** The owner's client continues with the right password after the enrolment, as HTTP Basic does. */
    @ParameterizedTest
    @EnumSource
    void rightPasswordThatIsRepeated_locksNobodyOutOfHisPlace(Stack stack) {
        stack.run((client, context) -> {
            Phone phone = enrol(context.getBean(OneTimeCodes.class));
            assertThat(client.goOn(client.login("ada"), phone.code()).status()).isEqualTo(200);
            clock.move(STEP);
            for (int i = 0; i < MORE_THAN_REPEATS; i++) {
                assertThat(client.get(basic("ada")).status()).isEqualTo(401);
            }
            assertThat(client.goOn(client.login("ada"), phone.code()).status()).isEqualTo(200);
        });
    }

    @ParameterizedTest
    @EnumSource
    void placeThatIsKnownByThePasswordAlone_hasNoMoreGuessesThanAnother(Stack stack) {
        stack.run((client, context) -> {
            assertThat(client.login("ada").status()).isEqualTo(200);
            Phone phone = enrol(context.getBean(OneTimeCodes.class));
            int guesses = 0;
            Reply reply = client.login("ada");
            while (reply.status() == 401 && guesses < 100) {
                client.goOn(reply, phone.wrongCode());
                guesses++;
                reply = client.login("ada");
            }
            assertThat(reply.status()).isEqualTo(429);
            assertThat(guesses).isEqualTo(5);
        });
    }

    private static String basic(String name) {
        return "Basic " + HttpHeaders.encodeBasicAuth(name, Services.PASSWORD, null);
    }
}
