package dev.latchkey.plugins.codes.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.plugins.codes.OneTimeCodes;
import dev.latchkey.plugins.codes.Phone;
import dev.latchkey.plugins.codes.SetClock;
import dev.latchkey.plugins.codes.spring.Client.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Logins of a service that has nothing but the dependency, a key and the table, on both stacks. */
class LoginWithCodesTest {

    private static final Duration STEP = Duration.ofSeconds(30);

    @TempDir
    private static Path folder;

    private final SetClock clock = new SetClock();

    interface Stack {
        void run(SetClock clock, BiConsumer<Client, ApplicationContext> test);
    }

    static Stream<Named<Stack>> stacks() {
        return Stream.of(
                Named.of(
                        "servlet",
                        (clock, test) -> Services.servlet(clock)
                                .withPropertyValues(Services.keyFile(folder))
                                .run(context -> test.accept(Client.ofServlets(context), context))),
                Named.of(
                        "WebFlux",
                        (clock, test) -> Services.webFlux(clock)
                                .withPropertyValues(Services.keyFile(folder))
                                .run(context -> test.accept(Client.ofWebFlux(context), context))));
    }

    private Phone enrol(OneTimeCodes codes) {
        Phone phone = codes.begin("ada").orElseThrow().key().withText(key -> new Phone(key, clock));
        assertThat(codes.confirm("ada", Secret.of(phone.code()))).isPresent();
        clock.move(STEP);
        return phone;
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void accountThatHasEnrolled_logsInWithACode_andTheOthersAsBefore(Stack stack) {
        stack.run(clock, (client, context) -> {
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
    @MethodSource("stacks")
    void guessesAtCodes_endIn429(Stack stack) {
        stack.run(clock, (client, context) -> {
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
    @MethodSource("stacks")
    void whoDoesNotKnowThePassword_learnsNothingOfCodes(Stack stack) {
        stack.run(clock, (client, context) -> {
            enrol(context.getBean(OneTimeCodes.class));
            String wrong = Client.LOGIN.replace(Services.PASSWORD, "wrong");
            Reply enrolled = client.send("POST", "/auth/login", "", wrong.formatted("ada"));
            assertThat(enrolled.status()).isEqualTo(401);
            assertThat(client.send("POST", "/auth/login", "", wrong.formatted("bob")))
                    .isEqualTo(enrolled);
            assertThat(client.send("POST", "/auth/login", "", wrong.formatted("nobody")))
                    .isEqualTo(enrolled);
        });
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void outageOfTheTable_letsNobodyIn(Stack stack) {
        stack.run(clock, (client, context) -> {
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

    /** Spring Security decides that itself and asks nobody for a second step. */
    @ParameterizedTest
    @MethodSource("stacks")
    void passwordAlone_letsNobodyInWhoHasEnrolled(Stack stack) {
        stack.run(clock, (client, context) -> {
            String basic = "Basic " + HttpHeaders.encodeBasicAuth("ada", Services.PASSWORD, null);
            assertThat(client.get(basic).status()).isEqualTo(404);
            Phone phone = enrol(context.getBean(OneTimeCodes.class));
            assertThat(client.get(basic)).isEqualTo(new Reply(401, ""));
            String token = client.goOn(client.login("ada"), phone.code()).member("access_token");
            assertThat(client.get("Bearer " + token).status()).isEqualTo(404);
            String bob = "Basic " + HttpHeaders.encodeBasicAuth("bob", Services.PASSWORD, null);
            assertThat(client.get(bob).status()).isEqualTo(404);
            context.getBean(JdbcClient.class)
                    .sql("alter table latchkey_one_time_codes rename to gone")
                    .update();
            assertThat(client.get(basic).status()).isEqualTo(503);
        });
    }
}
