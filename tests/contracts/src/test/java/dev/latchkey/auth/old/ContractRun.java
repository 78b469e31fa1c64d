package dev.latchkey.auth;

import dev.latchkey.auth.TicketPlugin.Ticket;
import dev.latchkey.auth.contract.AuthPluginContract;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.provider.Arguments;

/** Runs the rules of the kit by hand, and makes plugins that break them. */
final class ContractRun {

    private ContractRun() {}

    static Stream<Method> rules() {
        return Stream.concat(
                        Stream.of(AuthPluginContract.class), Arrays.stream(AuthPluginContract.class.getInterfaces()))
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method ->
                        method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(TestFactory.class));
    }

    static Set<String> failedRules(Supplier<AuthPluginContract> contract) {
        Set<String> failed = new TreeSet<>();
        rules().filter(rule -> failure(rule, "", contract.get()).isPresent())
                .map(Method::getName)
                .forEach(failed::add);
        return failed;
    }

    /** How this contract fails the rule of this name, if it does. */
    static Optional<Throwable> failure(String rule, AuthPluginContract contract) {
        return failure(rule, "", contract);
    }

    /** The same, of those of its tests whose names have this text. */
    static Optional<Throwable> failure(String rule, String testName, AuthPluginContract contract) {
        return failure(
                rules().filter(method -> method.getName().equals(rule))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("no rule " + rule)),
                testName,
                contract);
    }

    private static Optional<Throwable> failure(Method rule, String testName, AuthPluginContract contract) {
        try {
            rule.setAccessible(true);
            if (rule.invoke(contract) instanceof Stream<?> tests) {
                for (Object test : tests.toList()) {
                    if (((DynamicTest) test).getDisplayName().contains(testName)) {
                        ((DynamicTest) test).getExecutable().execute();
                    }
                }
            }
            return Optional.empty();
        } catch (InvocationTargetException e) {
            return Optional.of(e.getCause());
        } catch (Throwable e) {
            return Optional.of(e);
        } finally {
            end(contract);
        }
    }

    private static void end(AuthPluginContract contract) {
        try {
            Method end = AuthPluginContract.class.getDeclaredMethod("closeWhatWasOpened");
            end.setAccessible(true);
            end.invoke(contract);
        } catch (InvocationTargetException e) {
            // A plugin that cannot be closed is one of the broken ones.
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("The kit's end of a test", e);
        }
    }

    static Arguments broken(String rule, String defect, Supplier<AuthPlugin> plugin) {
        return Arguments.of(rule, defect, plugin);
    }

    /** The good plugin's, with another plugin. */
    static class Fixture extends TicketPluginContractTest {

        private final Supplier<AuthPlugin> plugin;

        Fixture(Supplier<AuthPlugin> plugin) {
            this.plugin = plugin;
        }

        @Override
        protected AuthPlugin newPlugin() {
            return plugin.get();
        }
    }

    interface Answer {
        Decision to(Answering plugin, Credentials credentials);
    }

    static AuthPlugin answering(Answer answer) {
        return new Answering(answer);
    }

    static AuthPlugin supporting(Predicate<Class<? extends Credentials>> answer) {
        return new TicketPlugin() {
            @Override
            public boolean supports(Class<? extends Credentials> kind) {
                return answer.test(kind);
            }
        };
    }

    /** Answers as told; {@link #decide} is the right answer. */
    static final class Answering extends TicketPlugin {

        private final Answer answer;

        Answering(Answer answer) {
            this.answer = answer;
        }

        Decision decide(Credentials credentials) {
            return super.authenticate(credentials, RequestContext.none());
        }

        @Override
        public Decision authenticate(Credentials credentials, RequestContext context) {
            return answer.to(this, credentials);
        }
    }

    static boolean valid(Credentials credentials) {
        return holds(credentials, TicketPlugin.VALID);
    }

    static boolean holds(Credentials credentials, String text) {
        return credentials instanceof Ticket ticket && ticket.secret().matches(Secret.of(text));
    }
}
