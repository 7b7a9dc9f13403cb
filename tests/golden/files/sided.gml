graph [
  directed 0
  node [
    id 0
    label "ann"
  ]
  node [
    id 1
    label "tea"
  ]
  node [
    id 2
    label "bob"
  ]
  node [
    id 3
    label "milk"
  ]
  node [
    id 4
    label "eve"
  ]
  node [
    id 5
    label "juice"
  ]
  node [
    id 6
    label "dan"
  ]
  edge [
    source 0
    target 1
  ]
  edge [
    source 2
    target 1
  ]
  edge [
    source 2
    target 3
  ]
  edge [
    source 4
    target 1
  ]
  edge [
    source 4
    target 5
  ]
  edge [
    source 6
    target 3
  ]
]
