package dev.latchkey.auth.spring;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

/** The class path of these tests in another class loader: with something in front, or without some libraries. */
final class FreshClassPath {

    static final String ENTRIES = System.getProperty("java.class.path");

    private final List<Path> entries;

    private FreshClassPath(List<Path> entries) {
        this.entries = entries;
    }

    static FreshClassPath behind(Path folder) {
        List<Path> entries = entries();
        entries.add(0, folder);
        return new FreshClassPath(entries);
    }

    /** @param libraries the names of their jars, without the version */
    static FreshClassPath without(String... libraries) {
        List<Path> entries = entries();
        for (String library : libraries) {
            if (!entries.removeIf(entry -> entry.getFileName().toString().startsWith(library + "-"))) {
                throw new AssertionError(library + " is not on the class path anyway");
            }
        }
        return new FreshClassPath(entries);
    }

    /**
     * The result of a call there, in classes of the JDK alone: other classes differ between the loaders.
     *
     * @param type has one constructor, for these arguments
     */
    @SuppressWarnings("unchecked") // the same source, and no class that is not the JDK's
    <T> T call(Class<? extends Callable<T>> type, Object... arguments) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        URL[] urls = urls();
        try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            Constructor<?> constructor = loader.loadClass(type.getName()).getDeclaredConstructors()[0];
            constructor.setAccessible(true);
            return ((Callable<T>) constructor.newInstance(arguments)).call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private URL[] urls() throws IOException {
        URL[] urls = new URL[entries.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = entries.get(i).toUri().toURL();
        }
        return urls;
    }

    private static List<Path> entries() {
        return new ArrayList<>(Arrays.stream(ENTRIES.split(File.pathSeparator, -1))
                .map(Path::of)
                .toList());
    }
}
