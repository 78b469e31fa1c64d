package dev.latchkey.auth.spring.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.contract.Race;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.account.AccountLogins;
import dev.latchkey.auth.spring.account.OwnLogins;
import dev.latchkey.auth.spring.login.IssuedTokens;
import dev.latchkey.auth.spring.login.LoginOutcome;
import dev.latchkey.auth.spring.login.RefreshToken;
import dev.latchkey.auth.spring.login.RefreshableLogins;
import dev.latchkey.auth.spring.login.TokenLogin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The logins of an account that come to two nodes, each a context, on one database. */
@Tag("long")
class SharedLoginsTest {

    private static final int ROUNDS = 10;
    private static final int MOST = 2;

    private static final PasswordEncoder ENCODER = new BCryptPasswordEncoder(4);

    private final DataSource database = SharedDatabase.withTables();

    /** One hash for all nodes, as in a common database: another hash would be another password. */
    private final String hash = ENCODER.encode(Services.PASSWORD);

    private final UserDetailsService accounts = name ->
            User.withUsername(name).password(hash).authorities("ROLE_USER").build();

    @Test
    void loginsAtOnceOnTwoNodes_areNoMoreThanMayBe_andTheNewestAreLeft() {
        node().run(one -> node().run(other -> eachRound(one, other, (kept, outcomes) -> {
            assertThat(outcomes).allMatch(IssuedTokens.class::isInstance);
            assertThat(kept).isEqualTo(MOST);
        })));
    }

    @Test
    void loginsAtOnceOnTwoNodes_neverGetTheSamePlace_whereNewOnesAreRefused() {
        WebApplicationContextRunner refusing = node().withPropertyValues("latchkey.login.when-full=refuse");
        refusing.run(one -> refusing.run(other -> eachRound(one, other, (kept, outcomes) -> {
            long in = outcomes.stream().filter(IssuedTokens.class::isInstance).count();
            assertThat(in).isLessThanOrEqualTo(MOST);
            assertThat(kept).isEqualTo((int) in);
        })));
    }

    private interface Judge {
        void judge(int kept, List<LoginOutcome> outcomes);
    }

    /**
     * Each round has an account of its own. On a machine with other work the database may answer too late, and such a
     * round shows nothing about the other rounds.
     */
    private static void eachRound(
            AssertableWebApplicationContext one, AssertableWebApplicationContext other, Judge judge) throws Exception {
        try (Race race = new Race()) {
            int judged = 0;
            for (int round = 0; judged < ROUNDS; round++) {
                String account = "user" + round;
                List<LoginOutcome> outcomes = raced(race, account, one, other);
                if (outcomes.size() == Race.MOST_THREADS) {
                    judge.judge(one.getBean(AccountLogins.class).of(account).size(), outcomes);
                    judged++;
                }
            }
        }
    }

    @Test
    void loginThatIsEndedOnOneNode_cannotBeProlongedOnAnother() {
        node().run(one -> node().run(other -> {
            IssuedTokens first = (IssuedTokens) login(one, "alice");
            IssuedTokens second = (IssuedTokens) login(other, "alice");
            OwnLogins.Bearer bearer = one.getBean(OwnLogins.class)
                    .bearerOf(second.access().value())
                    .orElseThrow();
            assertThat(bearer.logins()).hasSize(2);
            assertThat(bearer.isPresent(bearer.logins().get(0))).isTrue();
            assertThat(bearer.end(bearer.logins().get(1).id())).isTrue();
            assertThat(refreshed(other, first)).isFalse();
            assertThat(refreshed(one, second)).isTrue();
        }));
    }

    private static boolean refreshed(AssertableWebApplicationContext node, IssuedTokens tokens) {
        String token = tokens.refresh().map(RefreshToken::text).orElseThrow();
        return node.getBean(RefreshableLogins.class).refresh(token).isPresent();
    }

    /** Without those that were outages. */
    private static List<LoginOutcome> raced(
            Race race, String account, AssertableWebApplicationContext one, AssertableWebApplicationContext other)
            throws Exception {
        List<LoginOutcome> outcomes = Collections.synchronizedList(new ArrayList<>());
        List<Race.Runner> runners = new ArrayList<>();
        for (int i = 0; i < Race.MOST_THREADS; i++) {
            AssertableWebApplicationContext node = i % 2 == 0 ? one : other;
            runners.add(() -> {
                try {
                    outcomes.add(login(node, account));
                } catch (AuthUnavailableException e) {
                    // Fewer outcomes than logins tell it.
                }
            });
        }
        race.run(runners);
        return outcomes;
    }

    private static LoginOutcome login(AssertableWebApplicationContext node, String account) {
        return node.getBean(TokenLogin.class)
                .login(new PasswordCredentials(account, Secret.of(Services.PASSWORD)), RequestContext.none())
                .orElseThrow();
    }

    private WebApplicationContextRunner node() {
        return Services.web()
                .withBean(PasswordEncoder.class, () -> ENCODER)
                .withBean(UserDetailsService.class, () -> accounts)
                .withConfiguration(AutoConfigurations.of(LatchkeyJdbcAutoConfiguration.class))
                .withBean(DataSource.class, () -> database)
                .withPropertyValues(
                        "latchkey.jwt.secret=" + Services.KEY,
                        "latchkey.login.enabled=true",
                        "latchkey.login.refresh.enabled=true",
                        "latchkey.login.logins.enabled=true",
                        "latchkey.login.max-per-account=" + MOST);
    }
}
