package dev.latchkey.auth.spring;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs one service twice, each time with a new class loader over the same libraries, as devtools does. Reports the collectable
 * loaders and the leftover threads.
 *
 * <p>A separate program, because Spring holds classes by soft references, and the JVM must be told to clear them.
 */
final class RestartProbe {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private RestartProbe() {}

    public static void main(String[] arguments) throws Exception {
        ReferenceQueue<ClassLoader> unreachable = new ReferenceQueue<>();
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        // Once before and once after without, since Spring and the logger keep something of the first and of the last
        // to start.
        ClassLoader own = RestartProbe.class.getClassLoader();
        run(own, arguments[0]);
        for (int start = 0; start < 2; start++) {
            loaders.add(new WeakReference<>(run(new Fresh(), arguments[0]), unreachable));
        }
        run(own, arguments[0]);
        System.out.println("threads " + threadsOf(loaders));
        int gone = 0;
        long end = System.nanoTime() + LIMIT.toNanos();
        while (gone < loaders.size() && System.nanoTime() < end) {
            System.gc();
            while (unreachable.remove(500) != null) {
                gone++;
            }
        }
        System.out.println("unreachable " + gone + " of " + loaders.size());
        System.exit(0);
    }

    /** In a new thread: the service's thread-locals end with the thread. */
    private static ClassLoader run(ClassLoader loader, String keyFile) throws Exception {
        Method service = loader.loadClass(RestartedService.class.getName()).getDeclaredMethod("run", String.class);
        service.setAccessible(true);
        List<Throwable> failures = new ArrayList<>();
        Thread thread = new Thread(() -> {
            try {
                service.invoke(null, keyFile);
            } catch (ReflectiveOperationException e) {
                failures.add(e);
            }
        });
        thread.setContextClassLoader(loader);
        thread.start();
        thread.join();
        if (!failures.isEmpty()) {
            throw new IllegalStateException("The service did not run", failures.get(0));
        }
        return loader;
    }

    private static List<String> threadsOf(List<WeakReference<ClassLoader>> loaders) throws InterruptedException {
        List<String> names = new ArrayList<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            boolean ofAService = loaders.stream().anyMatch(loader -> loader.refersTo(thread.getContextClassLoader()));
            if (!thread.equals(Thread.currentThread())
                    && (ofAService || thread.getName().startsWith("latchkey"))) {
                thread.join(LIMIT.toMillis());
                if (thread.isAlive()) {
                    names.add(thread.getName());
                }
            }
        }
        return names;
    }

    /** Loads the service, and all else where its parent does. */
    private static final class Fresh extends URLClassLoader {

        Fresh() {
            super(
                    new URL[] {locationOf(RestartedService.class), locationOf(Services.class)},
                    RestartProbe.class.getClassLoader());
        }

        private static URL locationOf(Class<?> type) {
            return type.getProtectionDomain().getCodeSource().getLocation();
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(RestartedService.class.getName()) && !name.startsWith(Services.class.getName())) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }
}
