package dev.latchkey.testsupport;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Repeats the inputs of coverage-guided searches. A fuzz test is a class with annotated methods of a single {@code byte[]}.
 * The inputs of a method are the values of its {@link MethodSource}, and the files in a folder beside the class:
 * {@code <class>Inputs/<method>}. The search's agent is not loaded here, because the agent rewrites loaded classes and
 * breaks other tests of the same JVM.
 */
public final class KeptInputs {

    private final Object fuzzTest;

    private KeptInputs(Object fuzzTest) {
        this.fuzzTest = fuzzTest;
    }

    /** A test for each input of each method of this fuzz test. */
    public static Stream<DynamicTest> of(Object fuzzTest) {
        return new KeptInputs(fuzzTest).tests();
    }

    private Stream<DynamicTest> tests() {
        List<Method> methods = Arrays.stream(fuzzTest.getClass().getDeclaredMethods())
                .filter(method -> Arrays.equals(method.getParameterTypes(), new Class<?>[] {byte[].class}))
                .filter(method -> method.getAnnotations().length > 0)
                .toList();
        assertFalse(methods.isEmpty(), "no method takes a byte[]");
        return methods.stream().flatMap(this::testsOf);
    }

    private Stream<DynamicTest> testsOf(Method method) {
        List<byte[]> inputs = new ArrayList<>(seedsOf(method));
        inputs.addAll(filesOf(method));
        assertFalse(inputs.isEmpty(), () -> "no input of " + method.getName());
        method.setAccessible(true);
        return IntStream.range(0, inputs.size())
                .mapToObj(i -> DynamicTest.dynamicTest(
                        method.getName() + " " + i, () -> invoked(method, fuzzTest, inputs.get(i))));
    }

    @SuppressWarnings("unchecked")
    private List<byte[]> seedsOf(Method method) {
        MethodSource source = method.getAnnotation(MethodSource.class);
        if (source == null) {
            return List.of();
        }
        try {
            Method seeds = fuzzTest.getClass().getDeclaredMethod(source.value()[0]);
            seeds.setAccessible(true);
            return (List<byte[]>) invoked(seeds, null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<byte[]> filesOf(Method method) {
        URL folder =
                fuzzTest.getClass().getResource(fuzzTest.getClass().getSimpleName() + "Inputs/" + method.getName());
        if (folder == null) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
            List<byte[]> inputs = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                inputs.add(Files.readAllBytes(file));
            }
            return inputs;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object invoked(Method method, @Nullable Object on, Object... arguments)
            throws ReflectiveOperationException {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }
}
