package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.spring.http.FactorAuthorities;
import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.auth.spring.http.StepsAsked;
import dev.latchkey.auth.spring.password.ComparedPassword.Unseen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import reactor.core.publisher.Mono;

/** Second steps of logins that managers of Spring Security decide: each way in which a login has them, and lacks them. */
class MissingStepsTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String PROVED = FactorAuthorities.nameOf(Factors.ONE_TIME_CODE);

    private final StepOfAlice step = new StepOfAlice();
    private final ReactiveWork work = new ReactiveWork();

    @AfterEach
    void close() {
        work.close();
        SecurityContextHolder.clearContext();
    }

    /** The accounts of a store that ignores case. */
    private record Alice() implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return "users";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return Decision.abstained();
        }

        @Override
        public Optional<Verdict> account(String id) {
            return id.equalsIgnoreCase("alice") ? Optional.of(Authenticated.as(Subject.of("alice"))) : Optional.empty();
        }
    }

    private static MissingSteps steps(Map<String, Object> beans) {
        StaticListableBeanFactory all = new StaticListableBeanFactory(beans);
        return new MissingSteps(all.getBeanProvider(AuthChain.class));
    }

    private static MissingSteps stepsOf(AuthPlugin... plugins) {
        return steps(Map.of("plugins", AuthChain.of(List.of(plugins))));
    }

    private static Authentication given(String name) {
        return UsernamePasswordAuthenticationToken.unauthenticated(name, "password");
    }

    private static Authentication login(String name, String... authorities) {
        return UsernamePasswordAuthenticationToken.authenticated(
                name, null, AuthorityUtils.createAuthorityList(authorities));
    }

    /** Decides by a manager that answers so, on servlets. */
    private Authentication decide(MissingSteps steps, Authentication given, Authentication answer) {
        AuthenticationManager manager = new PasswordLogins(
                request -> answer,
                null,
                steps,
                SecurityContextHolder::getContextHolderStrategy,
                request -> Unseen.NONE);
        return manager.authenticate(given);
    }

    private Mono<Authentication> decideReactively(MissingSteps steps, Authentication given, Authentication answer) {
        ReactiveAuthenticationManager manager =
                new ReactiveCompletePasswords(request -> Mono.justOrEmpty(answer), steps, () -> work);
        return manager.authenticate(given);
    }

    @Test
    void loginThatLacksAStep_isNotEnough_onBothStacks() {
        MissingSteps steps = stepsOf(step);
        assertThatThrownBy(() -> decide(steps, given("alice"), login("alice")))
                .satisfies(
                        failure -> assertThat(StepsAsked.isNotEnough(failure)).isTrue());
        assertThatThrownBy(() ->
                        decideReactively(steps, given("alice"), login("alice")).block(LONG))
                .satisfies(
                        failure -> assertThat(StepsAsked.isNotEnough(failure)).isTrue());
        assertThat(step.asked).containsExactly("alice", "alice");
    }

    @Test
    void loginWithoutASecondStep_isComplete_onBothStacks() {
        MissingSteps steps = stepsOf(step);
        Authentication bob = login("bob");
        assertThat(decide(steps, given("bob"), bob)).isSameAs(bob);
        assertThat(decideReactively(steps, given("bob"), bob).block(LONG)).isSameAs(bob);
    }

    @Test
    void provedStep_isNotAskedAgain_onBothStacks() {
        MissingSteps steps = stepsOf(step);
        Authentication alice = login("alice", PROVED);
        assertThat(decide(steps, given("alice"), alice)).isSameAs(alice);
        assertThat(decideReactively(steps, given("alice"), alice).block(LONG)).isSameAs(alice);
    }

    @Test
    void provedStepOfThePresentLogin_counts_forTheSameAccountAlone() {
        MissingSteps steps = stepsOf(step);
        Authentication alice = login("alice");
        SecurityContextHolder.getContext().setAuthentication(login("alice", PROVED));
        assertThat(decide(steps, given("alice"), alice)).isSameAs(alice);
        SecurityContextHolder.getContext().setAuthentication(login("bob", PROVED));
        assertThatThrownBy(() -> decide(steps, given("alice"), alice)).isNotNull();
        TestingAuthenticationToken open = new TestingAuthenticationToken("alice", null, PROVED);
        open.setAuthenticated(false);
        SecurityContextHolder.getContext().setAuthentication(open);
        assertThatThrownBy(() -> decide(steps, given("alice"), alice)).isNotNull();
        SecurityContextHolder.getContext().setAuthentication(login("alice", "ROLE_USER"));
        assertThatThrownBy(() -> decide(steps, given("alice"), alice)).isNotNull();
    }

    @Test
    void provedStepOfThePresentLogin_countsOnWebFluxToo() {
        Authentication alice = login("alice");
        assertThat(decideReactively(stepsOf(step), given("alice"), alice)
                        .contextWrite(ReactiveSecurityContextHolder.withSecurityContext(
                                Mono.just(new SecurityContextImpl(login("alice", PROVED)))))
                        .block(LONG))
                .isSameAs(alice);
    }

    @Test
    void nameThatWasTyped_isAskedToo() {
        assertThatThrownBy(() -> decide(stepsOf(step), given("alice"), login("bob")))
                .satisfies(
                        failure -> assertThat(StepsAsked.isNotEnough(failure)).isTrue());
        assertThat(step.asked).containsExactly("bob", "alice");
    }

    /** A manager that ignores case returns the typed name. The account has enrolled by its stored name. */
    @Test
    void storedNameOfTheAccount_isAskedToo_onBothStacks() {
        MissingSteps steps = stepsOf(step, new Alice());
        assertThatThrownBy(() -> decide(steps, given("ALICE"), login("ALICE")))
                .satisfies(
                        failure -> assertThat(StepsAsked.isNotEnough(failure)).isTrue());
        assertThatThrownBy(() ->
                        decideReactively(steps, given("ALICE"), login("ALICE")).block(LONG))
                .satisfies(
                        failure -> assertThat(StepsAsked.isNotEnough(failure)).isTrue());
        assertThat(step.asked).containsExactly("ALICE", "alice", "ALICE", "alice");
    }

    /** Who has no proper id can be asked for no step. */
    @Test
    void loginWithoutAProperName_isNotEnough_whereThereAreSteps() {
        assertThatThrownBy(() -> decide(stepsOf(step), given("bob"), login("")))
                .satisfies(
                        failure -> assertThat(StepsAsked.isNotEnough(failure)).isTrue());
        Authentication unnamed = login("");
        assertThat(decide(stepsOf(), given("bob"), unnamed)).isSameAs(unnamed);
    }

    @Test
    void accountWithTheNameOfAnotherSource_isNoLogin() {
        MissingSteps steps = steps(Map.of("plugins", AuthChain.of(List.of()).withOutsideSources(Set.of("oauth2"))));
        assertThat(steps.mustCheck()).isTrue();
        assertThatThrownBy(() -> decide(steps, given("x"), login("oauth2:google:7")))
                .isExactlyInstanceOf(BadCredentialsException.class);
        Authentication bob = login("bob");
        assertThat(decide(steps, given("bob"), bob)).isSameAs(bob);
    }

    @Test
    void serviceWithoutSteps_isAskedForNone() {
        assertThat(stepsOf().mayBeMissing()).isFalse();
        assertThat(stepsOf(step).mayBeMissing()).isTrue();
        assertThat(steps(Map.of()).mayBeMissing()).isFalse();
        assertThat(steps(Map.of()).mustCheck()).isFalse();
        assertThat(steps(Map.of()).missingOf(login("alice"), "alice", RequestContext.none()))
                .isEmpty();
    }

    @Test
    void incompleteAnswer_isAskedForNoStep() {
        MissingSteps steps = stepsOf(step);
        assertThat(decide(steps, given("alice"), null)).isNull();
        Authentication open = given("alice");
        assertThat(decide(steps, given("alice"), open)).isSameAs(open);
        assertThat(decideReactively(steps, given("alice"), open).block(LONG)).isSameAs(open);
        assertThat(step.asked).isEmpty();
    }

    @Test
    void credentialsBesidesPasswords_areAskedForNoStep() {
        Authentication other = new TestingAuthenticationToken("alice", "x");
        Authentication alice = login("alice");
        assertThat(decide(stepsOf(step), other, alice)).isSameAs(alice);
        assertThat(decideReactively(stepsOf(step), other, alice).block(LONG)).isSameAs(alice);
        assertThat(step.asked).isEmpty();
    }

    /** A manager within a manager. */
    @Test
    void loginThatIsPartOfAnother_isAskedByTheOuterOne() {
        Authentication alice = login("alice");
        CurrentLogin before = new StepsAsked().within(CurrentLogin.here()).bind();
        try {
            assertThat(decide(stepsOf(step), given("alice"), alice)).isSameAs(alice);
        } finally {
            before.bind();
        }
        assertThat(decideReactively(stepsOf(step), given("alice"), alice)
                        .contextWrite(context ->
                                context.put(CurrentLogin.class, new StepsAsked().within(CurrentLogin.here())))
                        .block(LONG))
                .isSameAs(alice);
        assertThat(step.asked).isEmpty();
    }

    /** The chain has asked for the steps of a login that it decided itself. */
    @Test
    void loginOfTheChain_isAskedOnce() {
        MissingSteps steps = stepsOf(step);
        Authentication alice = login("alice");
        List<CurrentLogin> within = new ArrayList<>();
        AuthenticationManager manager = new PasswordLogins(
                request -> {
                    within.add(CurrentLogin.here());
                    StepsAsked asked = StepsAsked.in(CurrentLogin.here());
                    if (asked != null) {
                        asked.ofChain("alice");
                    }
                    return alice;
                },
                null,
                steps,
                SecurityContextHolder::getContextHolderStrategy,
                given -> Unseen.NONE);
        CurrentLogin before = CurrentLogin.here();
        assertThat(manager.authenticate(given("alice"))).isSameAs(alice);
        assertThat(step.asked).isEmpty();
        assertThat(within).doesNotContain(before);
        assertThat(CurrentLogin.here()).isSameAs(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ROLE_USER", " "})
    void step_seesTheAuthoritiesOfTheLogin(String authority) {
        List<Set<String>> seen = new ArrayList<>();
        MissingSteps steps = stepsOf(new AuthorityStep(seen));
        GrantedAuthority granted = () -> authority;
        decide(steps, given("bob"), UsernamePasswordAuthenticationToken.authenticated("bob", null, List.of(granted)));
        assertThat(seen).containsExactly(authority.isBlank() ? Set.of() : Set.of(authority));
    }

    private record AuthorityStep(List<Set<String>> seen) implements LoginStep {

        @Override
        public String name() {
            return "codes";
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            throw new AssertionError("No step was asked");
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            seen.add(Set.copyOf(login.subject().authorities()));
            return Optional.empty();
        }
    }

    @Test
    void refusedStep_isThatOfTheLogin() {
        Challenged wanted = Challenged.by(Authenticated.as(Subject.of("alice")), Factors.ONE_TIME_CODE);
        MissingSteps.refuse(List.of(wanted), login("alice"), login("alice", PROVED));
        assertThatThrownBy(() -> MissingSteps.refuse(List.of(wanted), login("alice"), null))
                .satisfies(
                        failure -> assertThat(StepsAsked.isNotEnough(failure)).isTrue());
    }
}
