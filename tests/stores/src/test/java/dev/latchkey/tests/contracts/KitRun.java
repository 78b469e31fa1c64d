package dev.latchkey.tests.contracts;

import dev.latchkey.auth.contract.PluginContract;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Runs the rules of a kit by hand. */
final class KitRun {

    private KitRun() {}

    /** The rules of this kit. */
    static Stream<Method> rules(Class<?> kit) {
        Set<Class<?>> types = new LinkedHashSet<>();
        for (Class<?> type = kit; type != null; type = type.getSuperclass()) {
            types.add(type);
            types.addAll(Arrays.asList(type.getInterfaces()));
        }
        return types.stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method ->
                        method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(TestFactory.class));
    }

    /** The names of the rules that fail. */
    static Set<String> failedRules(Supplier<? extends PluginContract<?>> contract) {
        Set<String> failed = new TreeSet<>();
        rules(contract.get().getClass())
                .filter(rule -> failure(rule, "", contract.get()).isPresent())
                .map(Method::getName)
                .forEach(failed::add);
        return failed;
    }

    /** The failure of this rule of the contract, if any. */
    static Optional<Throwable> failure(String rule, PluginContract<?> contract) {
        return failure(rule, "", contract);
    }

    /** The same for tests whose names have this text. */
    static Optional<Throwable> failure(String rule, String testName, PluginContract<?> contract) {
        return failure(
                rules(contract.getClass())
                        .filter(method -> method.getName().equals(rule))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("no rule " + rule)),
                testName,
                contract);
    }

    private static Optional<Throwable> failure(Method rule, String testName, PluginContract<?> contract) {
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

    private static void end(PluginContract<?> contract) {
        try {
            Method end = PluginContract.class.getDeclaredMethod("closeWhatWasOpened");
            end.setAccessible(true);
            end.invoke(contract);
        } catch (InvocationTargetException e) {
            // Some broken plugins cannot be closed.
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("The kit's end of a test", e);
        }
    }
}
