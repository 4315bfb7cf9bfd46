package io.arbitration;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What the test classes of an area share, such as a platform with a browser. It ends when a class of another area begins: a platform that
 * waits takes some 1.5 % of a processor, and four processes would keep theirs until the end of the run. Classes run in the order of their
 * packages, so it is rarely started again.
 */
public final class SharedInArea {

    private static final String ROOT = SharedInArea.class.getPackageName();
    private static final List<Shared> OPEN = new ArrayList<>();

    private record Shared(Set<String> areas, Runnable close) {}

    private SharedInArea() {}

    /**
     * Closes something when a class of another area begins, or else at the end of the process.
     *
     * @param areas the packages below {@code io.arbitration} that use it
     * @param close also forgets it, so that the next one who asks for it makes another
     */
    public static synchronized void closeAfter(Set<String> areas, Runnable close) {
        if (OPEN.isEmpty()) {
            TestFolders.atTheEnd(() -> closeUnusedBy(""));
        }
        OPEN.add(new Shared(areas, close));
    }

    /** Closes what the area of a class does not use. */
    static void begin(Class<?> testClass) {
        String name = testClass.getPackageName();
        closeUnusedBy(name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1).replaceFirst("[.].*", ""));
    }

    private static synchronized void closeUnusedBy(String area) {
        List<Shared> ending = OPEN.stream().filter(one -> !one.areas.contains(area)).toList();
        OPEN.removeAll(ending);
        ending.forEach(one -> one.close.run());
    }
}
